// English: the later words of `guide`.

import { number } from '../format';

/** The section `guide`. */
export const guide = {
  welcome: 'Welcome to Segmance',
  skip: 'Skip',
  next: 'Next',
  start: 'Start',
  page: (at: number, count: number) => `Page ${number(at)} of ${number(count)}`,
  welcomeParts: 'A performance, part by part',
  welcomePartsText: 'Add the songs of a performance. Each becomes a part of your routine, a page to swipe to.',
  welcomeMoves: 'Every move in its place',
  welcomeMovesText: 'Write the moves into each part, with a type and notes. Drag them into order; the overview shows them at a glance.',
  welcomePractice: 'Practise until it sticks',
  welcomePracticeText: 'Loop a part, or from A to B, without a gap. A countdown gives you time to get into place.',
  chapters: [
    {
      title: 'Make a routine from songs',
      lines: [
        'Drop audio files anywhere on the first tab, or press “New routine” and choose them. Each file becomes a part.',
        'Rename the parts, drag them into order, and press “Create”. An interrupted upload continues where it stopped.',
        'Later, press the pencil on the routine’s page to add, rename, reorder or remove parts, or to replace their audio.',
        'There you also set the date of the performance. The list shows how many days are left, and exports give the date.',
        'If the songs come from different recordings, “Play all songs equally loud” there gives them one loudness.',
        '“Share by link” in a routine’s menu makes an address that others open without an account, to practise with. It ends when you choose.',
      ],
    },
    {
      title: 'Go from part to part',
      lines: [
        'Swipe sideways, tap the strip above, or press Page Up and Page Down.',
        'Tap the title to jump to any part. A routine opens again where you left it.',
      ],
    },
    {
      title: 'Write moves',
      lines: [
        'The plus adds moves, one after the other. Tap a title to change it; open a card for its notes. Everything is saved as you type.',
        'Hold a card and drag it to its place; on a keyboard, Alt with the arrow keys moves it.',
        'In a song with counts, “Lay on counts by tapping” below the moves lays them all: play, and tap when each begins. “Counts” in a move’s menu changes one.',
        'A press on a move’s card plays from it. Its menu loops the move, it and the next, or its eight.',
        'Hold the number of a move to delete it. You can undo it for ten seconds.',
        'The overview shows the number, title and colour of every move at a glance, for learning by heart.',
        'Tap the abbreviation of a type for its full name. You make and colour types in Settings.',
      ],
    },
    {
      title: 'Practise',
      lines: [
        'Press play. Tap the player to make it large; drag it down to make it small.',
        'A wireless loudspeaker plays late. Under Settings, “Sound delay” measures it in ten seconds; then counts, moves and videos are shown when you hear them.',
        'Tap or drag on the waveform to seek. Back and forward jump by the step chosen in Settings: seconds, or from eight to eight. Back goes to the 1 of this eight first, and just after it to the one before.',
        'Loop repeats the part. A–B repeats a section: press it at its start and again at its end, or drag the markers. In a song with counts, A and B can snap to them. Hold it to clear.',
        'A countdown gives you time to get into place, before each repeat or only before the first.',
        'Where a song’s beats are known, it can count you in instead, “5, 6, 7, 8”, and click on every count. Both can be spoken numbers, in five languages.',
        'Once moves lie on counts, a caller says each one’s name before it comes, while the music gives way: the speech bubble in the large player. “Record its name” in a move’s menu gives it your own voice.',
        'Loop, markers and countdown are remembered for each part.',
        'Beside the speed you set a part’s target speed: the one at which you will perform it.',
        '“Progress” in a routine’s menu shows which parts are not yet at tempo, how their speed grew, and the minutes you practised each week. Swipe the weeks to see earlier ones.',
      ],
    },
    {
      title: 'Let a session lead you',
      lines: [
        '“Practise” proposes what to do in the minutes you have, from what you practised and missed, and says why. Press “Start”: each step is said, counted in and played, then comes the next.',
        'A tap pauses. “Again”, “Longer” and “Skip” are also the left arrow, + and the right arrow, a pedal that turns pages, and previous and next on a headset.',
        '“Change the steps” makes a plan of your own; “Save as a plan” keeps it with the routine.',
      ],
    },
    {
      title: 'Stand back from the screen',
      lines: [
        'The stage button beside the film, or the key S, fills the screen with the move, the next one and the count, large enough to be read from four metres, and keeps the screen on. A tap anywhere pauses and resumes.',
        'Long titles are larger on a phone that lies on its side. The edge has the colour of the move’s type; the bar is what is left of the part, or of the whole run.',
        'Mirror turns the view round for a window, a mirror or a projector. A video that follows the music stands beside the words.',
        'While nothing plays, one press loops this move, it and the next, or this eight: in the stage view, and on the lit card.',
      ],
    },
    {
      title: 'Run it through',
      lines: [
        '“Run-through” in the menu of a routine’s page, or the key R, plays the whole routine without stopping, or from this part on.',
        'Where something goes wrong, tap anywhere. The arrow and page keys, the space bar, a pedal that turns pages, “next” on a headset and the button of a remote do the same. The move of that moment is noted, allowing for the time it takes to react; it can be taken back at once.',
        'Afterwards you see the misses on a strip of the routine, and above them those of the time before. Take one back, tap the strip to add one, write a note. “Run-through” lists all of them.',
        'What was missed glows on the cards, in the row of parts and in the stage view: one dot to three, the weaker the more. It fades with each run-through that goes well.',
      ],
    },
    {
      title: 'Add a video',
      lines: [
        'The film button adds a video to a part: from the photo library, from your files, or one that you uploaded before. Then it shows and hides the video; hold it to replace or remove it.',
        'Drag the video anywhere, drag its corner to resize it, or fill the screen with it. Mirror it to see it as in the studio’s mirror.',
        'Film a run with the music playing in the room: Segmance finds the music in the video’s sound, and the picture follows the player through loops, countdowns and every speed.',
        'Where the music isn’t found for certain, play and move the picture until it fits. A video can serve several parts, and follows each one’s music.',
      ],
    },
    {
      title: 'Cut a song into parts',
      lines: [
        'Open a song in the clipper, press play, and press “Cut here” or C wherever a part ends. To name it while the song goes on, tap its name or press N; Enter goes to the next name.',
        'Drag a border to move it; both clips follow. With “Snap”, borders land on counts, on attacks, in silence or where nothing clicks.',
        'For one stretch alone, set its start and end, or hold and drag over the wave, and press “Clip”.',
        '“Suggest cuts” marks where the music may change. These are guesses: listen, and tap those that are right.',
        'Make a routine of the clips, add them to one, or download them. To move a part’s borders later, open its menu in “Edit routine”.',
      ],
    },
    {
      title: 'Practise offline',
      lines: [
        'Put Segmance on the home screen: Settings → Storage says how on this device. It then starts offline, too.',
        'Keep a routine on this device from its menu, with songs and videos; its card shows when all of it is here. Parts that you practised lately are kept automatically.',
        'You can edit everything offline. A line above the page shows what is waiting; it is sent when the server can be reached. Songs that you add wait, too.',
        'Settings → Storage shows what is stored here and frees space.',
        'When there is a new version, a line above the page offers to reload. You lose nothing by waiting or by reloading.',
      ],
    },
    {
      title: 'Use several devices',
      lines: [
        'Everything is kept in this browser and on your server. Without a connection you can go on working; your changes are sent later.',
        'Two devices can edit at once. If both change the same text, the later one wins; the other is under “Earlier versions” for 30 days.',
        '“What has changed” in the menu of a routine’s page tells what is different since you last practised it, or since a date, and brings back what you want, for 30 days.',
      ],
    },
    {
      title: 'Phones and remote control',
      lines: [
        'On the computer that runs Segmance, open Settings → Devices, allow devices on this network, and press “Add a device”. Scan the code with the phone.',
        'You can rename and revoke a device there. A revoked one loses access at once, and keeps what it has stored.',
        'Open a routine on two devices. In the large player of one, press “Play on another device” and choose the other: the buttons and keys here now control the sound there. Both show the same part.',
        'A browser plays no sound before its page was touched once; both devices tell you when that is needed.',
      ],
    },
    {
      title: 'People and groups',
      lines: [
        'On the computer that runs Segmance, or on a device of its owner, Settings → People adds a person by a code that they scan with their phone. From then on the phone is theirs: it has routines, a practice log and settings of its own.',
        'A group, such as a class or a company, has routines of its own. In it a teacher edits, and a performer sees and practises. Settings → Groups makes groups and chooses their members.',
        '“Share with people” in a routine’s menu says who sees it: only you, a group, or one person.',
        'Speeds, loops, markers, countdowns, tags, pins, plans, run-throughs and the practice log are each person’s own. Nobody else sees them, not the teacher either.',
        'To sign in at a browser that nobody can pair by a code, set a password or add a passkey: Settings → Devices, “Signing in elsewhere”. Unless you choose to stay signed in, that browser forgets you after twelve hours.',
        'Comment on a move from its menu or beside its title, or in the large player at the moment or eight that you hear. “@” names somebody. The card of a routine and its page say what is new; “Comments” in the page’s menu lists everything. You edit and delete your own; teachers may delete those of others.',
        'Who leaves a group, or is taken out, loses its routines on their devices at the next contact.',
      ],
    },
    {
      title: 'Together in one room',
      lines: [
        'Teachers of a group press “Lead” in a routine’s menu or in the large player. Everybody in the group then reads who leads, on whatever page they are, and presses “Join”.',
        'Who follows has the leader’s part, counts, speed, loop, count-in and pauses on their own screen. “Sound on this device” is for headphones, or a second loudspeaker; sound delay makes it heard at the same moment.',
        'What the leader writes into the bar shows on all screens in large letters. Emptying it takes it away.',
        'Your own speeds and loops stay as they were. Pressing a control, or turning the page, ends following; “Follow again” goes back.',
        'A routine of your own can be led for your other devices: open it on both.',
      ],
    },
    {
      title: 'Export and clean up',
      lines: [
        'Export a routine from its menu: a cue sheet or an eight-count sheet to print on A4 or Letter, a web page, Markdown, JSON, or labels for Audacity, of the parts or of every count. Settings exports all at once.',
        'Deleting a routine leaves its songs and videos in Settings → Media library; delete there what you no longer use.',
      ],
    },
  ],
};
