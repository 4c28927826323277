// The welcome on a library's first use: nothing in it yet, and not seen on any device.

import { useFromLibrary, useLibraryStatus, useServices, useSetting } from '../services/services';
import { welcomeSheet } from './lazy';

/** Shows the welcome once for a library. */
export function FirstWelcome(): JSX.Element | null {
  const { library } = useServices();
  const { loaded } = useLibraryStatus();
  const isSeen = useSetting('welcomeSeen');
  const isEmpty = useFromLibrary((current) => current.all('routine').length === 0);
  if (!loaded || isSeen || !isEmpty) return null;
  return <welcomeSheet.Page onClose={() => library.set('welcomeSeen', true)} />;
}
