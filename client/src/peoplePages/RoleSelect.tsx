// The choice of a role.

import type { Role } from '../sync/wire';
import { lateWords } from '../words/lateWords';

/** The roles, the one that most have first. */
export const roles: readonly Role[] = ['performer', 'teacher', 'owner'];

/** A field with the roles. */
export function RoleSelect({ label, role, onRole, testId, choices = roles }: {
  readonly label: string;
  readonly role: Role;
  readonly onRole: (role: Role) => void;
  readonly testId: string;
  readonly choices?: readonly Role[];
}): JSX.Element {
  return (
    <select
      className="input select" aria-label={label} value={role} data-testid={testId}
      onChange={(event) => onRole(event.target.value as Role)}
    >
      {choices.map((each) => <option key={each} value={each}>{lateWords.people.roles[each]}</option>)}
    </select>
  );
}
