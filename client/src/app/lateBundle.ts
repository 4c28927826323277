// All code that the first screen does not need, as one script: many small ones would share so much
// code that each would be split into several files.

export { ClipperPage } from '../clipper/ClipperPage';
export { CutPage } from '../clipper/CutPage';
export { CommentChips } from '../comments/CommentChips';
export { CommentMarks } from '../comments/CommentMarks';
export { CommentsOnPage } from '../comments/CommentsOnPage';
export { followNotices } from '../comments/followNotices';
export { MoveComments } from '../comments/MoveComments';
export { NewBadge } from '../comments/NewBadge';
export { DevicesPage } from '../devices/DevicesPage';
export { DoorPage } from '../devices/DoorPage';
export { Welcome } from '../guide/Welcome';
export { MoveEights } from '../moves/MoveEights';
export { MoveSheets } from '../moves/MoveSheets';
export { JumpTo } from '../parts/JumpTo';
export { ReadMoves } from '../moves/ReadMoves';
export { LinksSheet } from '../links/LinksSheet';
export { GroupsPage } from '../peoplePages/GroupsPage';
export { PeoplePage } from '../peoplePages/PeoplePage';
export { ShareSheet } from '../peoplePages/ShareSheet';
export { LedSession } from '../plans/LedSession';
export { PractiseSheet } from '../plans/PractiseSheet';
export { CallMoves } from '../player/CallMoves';
export { CallerSheet } from '../player/CallerSheet';
export { CountsSheet } from '../player/CountsSheet';
export { PracticeSheet } from '../player/PracticeSheet';
export { SpotSheet } from '../player/SpotSheet';
export { RecordPractice } from '../practiceLog/RecordPractice';
export { ProgressPage } from '../progress/ProgressPage';
export { followOutput } from '../latency/followOutput';
export { LeadNote } from '../lead/LeadNote';
export { LeadOnPage } from '../lead/LeadOnPage';
export { RemoteOnPage } from '../remote/RemoteOnPage';
export { ChangesSheet } from '../routines/ChangesSheet';
export { EditRoutine } from '../routines/EditRoutine';
export { RoutineEditor } from '../routines/RoutineEditor';
export { ExportSheet } from '../routines/ExportSheet';
export { RunThroughOnPage } from '../runThrough/RunThroughOnPage';
export { RoutineDraft } from '../uploads/draft';
export { addTrack } from '../uploads/tracks';
export { Upload } from '../uploads/upload';
export { speakLate } from '../words/lateWords';
export { VersionsSheet } from '../services/VersionsSheet';
export { StageView } from '../stageView/StageView';
export { SettingsPage } from '../settings/SettingsPage';
export { VideoOnPage } from '../video/VideoOnPage';
export { beginOfflineWork } from './offlineWork';
export { enterLink, openLinkedLibrary } from './enterLink';
export { KeyboardHelp } from './KeyboardHelp';

// What the first screen has for itself is in here, too: so the scripts of the start are one file, which compresses
// better than one for that and one for what both share. Nothing is fetched twice.
export { App } from './App';
export { Offline } from '../offline/offline';
export { LocalLibrary } from '../sync/library';
export { makeDrafts } from '../uploads/drafts';
export { UploadQueue } from '../uploads/queue';
