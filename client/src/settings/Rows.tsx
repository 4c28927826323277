// The rows of the settings: links to subpages, and buttons.

import { Link } from '../services/Link';
import type { SettingsSection } from '../services/routes';
import { Icon, type IconName } from '../ui/Icon';
import '../ui/rows.css';

interface RoomRowProps {
  readonly room: SettingsSection;
  readonly icon: IconName;
  readonly label: string;
  /** What is set there, or how much there is. */
  readonly aside?: number | string;
}

/** A link to a page behind the settings. */
export function SubpageRow({ room, icon, label, aside }: RoomRowProps): JSX.Element {
  return (
    <li>
      <Link className="row" route={{ page: 'settings', room }} data-testid={`room-${room}`}>
        <Icon name={icon} />
        <span className="row-text"><b>{label}</b></span>
        {aside !== undefined && <span className="row-aside time">{aside}</span>}
        <Icon name="next" size={20} />
      </Link>
    </li>
  );
}

interface ButtonRowProps {
  readonly icon: IconName;
  readonly label: string;
  readonly use?: string;
  readonly testId: string;
  readonly onClick: () => void;
}

/** A row that does something. */
export function ButtonRow({ icon, label, use, testId, onClick }: ButtonRowProps): JSX.Element {
  return (
    <li>
      <button type="button" className="row" data-testid={testId} onClick={onClick}>
        <Icon name={icon} />
        <span className="row-text"><b>{label}</b>{use && <small>{use}</small>}</span>
      </button>
    </li>
  );
}
