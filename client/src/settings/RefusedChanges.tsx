// Changes that the server refused, with the reason and the typed text.

import { useLibraryStatus, useServices } from '../services/services';
import { IconButton } from '../ui/Button';
import { lateWords } from '../words/lateWords';

/** The fields that somebody types; others, such as a position, say nothing to a reader. */
const typedFields = ['title', 'subtitle', 'notes', 'name', 'abbreviation'] as const;

/** The list of refused changes, if there are any. */
export function RefusedChanges(): JSX.Element | null {
  const { library } = useServices();
  const { rejected } = useLibraryStatus();
  if (rejected.length === 0) return null;
  const { settings } = lateWords;
  return (
    <section className="settings-group is-problem" aria-label={settings.notSaved} data-testid="rejected">
      <h2>{settings.notSaved}</h2>
      <ul className="refused">
        {rejected.map((change) => (
          <li key={change.id}>
            <div>
              <p dir="auto">{change.reason}</p>
              {typedFields.filter((name) => typeof change.fields[name] === 'string').map((name) => (
                <p key={name} className="refused-text">
                  {`${settings.fields[name]}: `}<bdi>{String(change.fields[name])}</bdi>
                </p>
              ))}
            </div>
            <IconButton icon="close" label={settings.dismiss} onClick={() => library.dismissRejected(change.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
