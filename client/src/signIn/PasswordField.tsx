// A password, hidden unless its writer wants to see it.

import { useId } from 'react';
import './signIn.css';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isShown: boolean;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly hint?: string;
  readonly testId: string;
  readonly onChange: (value: string) => void;
}

/** The field. */
export function PasswordField({ label, value, isShown, autoComplete, hint, testId, onChange }: PasswordFieldProps): JSX.Element {
  const hintId = useId();
  return (
    <div className="field">
      <label className="field">
        <span>{label}</span>
        <input
          className="input" type={isShown ? 'text' : 'password'} dir="auto" autoComplete={autoComplete} autoCapitalize="none"
          spellCheck={false} maxLength={256} value={value} data-testid={testId} aria-describedby={hint === undefined ? undefined : hintId}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {hint !== undefined && <p className="note" id={hintId}>{hint}</p>}
    </div>
  );
}
