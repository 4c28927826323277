// A piece of its own; what it shares with the app stays in the app's one file.

import '../main';

export { VideoOnPage } from '../../video/VideoOnPage';
