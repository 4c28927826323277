// The usage guide, by topic.

import './guide.css';

const chapters: readonly { readonly title: string; readonly lines: readonly string[] }[] = [
  {
    title: 'A routine from songs',
    lines: [
      'Drop audio files anywhere on the first tab, or press “New routine” and choose them. Each file becomes a part.',
      'Rename the parts, drag them into order, and press “Create”. A broken upload goes on where it was.',
      'Later, the pencil on the routine’s page adds, renames, reorders and removes parts, or replaces the audio of one.',
    ],
  },
  {
    title: 'From part to part',
    lines: [
      'Swipe sideways, tap the strip above, or press Page Up and Page Down.',
      'Tap the title for “Jump to”, a grid of all parts. A routine opens again where you left it.',
    ],
  },
  {
    title: 'Moves',
    lines: [
      'The plus adds moves, one after the other. Tap a title to change it; open a card for its notes. All is saved as you type.',
      'Hold a card and drag it to its place; on a keyboard, Alt with the arrows moves it.',
      'Hold the number of a move to delete it. Undo stands at the edge of the screen for ten seconds.',
      'The overview shows number, title and colour of every move at a glance, for learning by heart.',
      'Tap the abbreviation of a type for its full name. Types are made and coloured in Settings.',
    ],
  },
  {
    title: 'Practise',
    lines: [
      'Press play. Tap the player to make it large; drag it down to make it small.',
      'Tap or drag on the waveform to seek. Back and forward jump by the seek step of the settings.',
      'Loop repeats the part. A–B repeats a section: press it at its start and again at its end, or drag the markers. Hold it to clear.',
      'A countdown gives you time to get into place, before each repeat or only before the first.',
      'Loop, markers and countdown are remembered for each part.',
    ],
  },
  {
    title: 'A video beside the music',
    lines: [
      'The film button adds a video to a part: from the photo library or the disk, or one that was uploaded before. It shows and hides it afterwards; hold it to replace or unlink the video.',
      'Drag the video anywhere, drag its corner to resize it, or make it fill the screen. It can be mirrored, so that left is left as in the studio’s mirror.',
      'Film a run with the music playing in the room: Segmance finds the music in the sound of the video, and the picture follows the practice player through loops, countdowns and every speed.',
      'Where it does not find it for certain, “Set the offset”: play, and move the picture until it fits. A video can serve several parts, each with its own offset.',
    ],
  },
  {
    title: 'Cut a song into parts',
    lines: [
      'Open a song in the clipper, press play, and press “Cut here” or C wherever a part ends. To name it while the song goes on, tap its name or press N; Enter goes to the next name.',
      'Drag a border to move it; both clips follow. “Snap” lets borders rest on beats, in silence or where nothing clicks.',
      'For one stretch alone, set its start and end, or hold and drag over the wave, and press “Clip”.',
      '“Suggest cuts” marks where the music may change. These are guesses: listen, and tap those that are right.',
      'Make a routine of the clips, add them to one, or download them. A part’s borders can be moved later: in “Edit routine”, its menu has “Move its borders”.',
    ],
  },
  {
    title: 'Without a network',
    lines: [
      'Put Segmance on the home screen: Settings, “Storage”, says how on this device. It then starts without a network.',
      'The menu of a routine keeps it on this device, with songs and videos; its card shows when all is here. Parts that you practised lately stay by themselves.',
      'Everything can be edited. A line above the page says how much waits; it goes when the server has it. Songs that you pick wait, too, and go up by themselves.',
      'Settings, “Storage”, shows what is stored here and frees it.',
      'When a new version is there, “New version: reload” appears above the page. Nothing is lost by waiting, nor by pressing it.',
    ],
  },
  {
    title: 'On every device',
    lines: [
      'Everything is kept in this browser and on your server. Without a connection you go on working; edits are sent later.',
      'Two devices can edit at once. Where both changed the same text, the later one stands; the other is under “Earlier versions” for 30 days.',
    ],
  },
  {
    title: 'Phones and a remote control',
    lines: [
      'On the computer that runs Segmance, open “Devices” in Settings, switch the network on, and press “Add a device”. The phone first learns to trust this Segmance, then scans a code.',
      'A device can be renamed and revoked there. A revoked one is out at once, and keeps what it has stored.',
      'Open a routine on two devices. In the large player of one, press “Play on another device” and choose the other: the buttons and keys here are for the sound there. Both turn to the same part.',
      'A browser starts no sound before its page was touched once; where that is so, both say it.',
    ],
  },
  {
    title: 'Out again',
    lines: [
      'The menu of a routine exports it: a cue sheet to print on A4 or Letter, a web page, Markdown, JSON, or labels for Audacity. Settings exports all at once.',
      'Deleting a routine leaves its songs and videos in the media library, in Settings; there you delete what nothing uses.',
    ],
  },
];

/** The chapters. */
export function UsageGuide(): JSX.Element {
  return (
    <div className="usage" data-testid="usage-guide">
      {chapters.map(({ title, lines }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>{lines.map((line) => <li key={line}>{line}</li>)}</ul>
        </section>
      ))}
    </div>
  );
}
