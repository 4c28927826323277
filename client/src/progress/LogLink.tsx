// The way to the practice log, of which the progress is derived.

import { Link } from '../services/Link';
import { useSetting } from '../services/services';
import { Icon } from '../ui/Icon';
import '../ui/rows.css';
import { lateWords } from '../words/lateWords';

/** A link to the log, which says so while nothing is written into it. */
export function LogLink(): JSX.Element {
  const isWritten = useSetting('practiceLog');
  return (
    <Link className="row progress-card" route={{ page: 'settings', room: 'practice-log' }} data-testid="progress-log">
      <Icon name="history" />
      <span className="row-text">
        <b>{lateWords.practiceLog.title}</b>
        {!isWritten && <small>{lateWords.progress.logIsOff}</small>}
      </span>
      <Icon name="next" size={20} />
    </Link>
  );
}
