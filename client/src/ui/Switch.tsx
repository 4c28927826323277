// A switch with its label: the only form of a choice between on and off.

import './switch.css';

interface SwitchProps {
  readonly label: string;
  /** A sentence below the label. */
  readonly hint?: string | undefined;
  readonly isOn: boolean;
  readonly onChange: () => void;
  readonly isDisabled?: boolean;
  /** Whether a change is on its way. */
  readonly isBusy?: boolean;
  readonly testId: string;
}

/** A row that switches something; all of it can be pressed. */
export function Switch({ label, hint, isOn, onChange, isDisabled, isBusy, testId }: SwitchProps): JSX.Element {
  return (
    <label className="switch">
      <span>
        <b>{label}</b>
        {hint !== undefined && <small>{hint}</small>}
      </span>
      <input
        type="checkbox" role="switch" checked={isOn} disabled={isDisabled} aria-busy={isBusy}
        data-testid={testId} onChange={onChange}
      />
    </label>
  );
}
