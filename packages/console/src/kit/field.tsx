/**
 * A labelled form control. The hint and the error are linked to the control, so that a screen
 * reader reads both.
 */
import { type ReactNode, useId } from 'react';

export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export function Field(props: {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  /** A warning about an unusual value that may be intended. */
  warning?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const described = [
    ...(props.problem !== undefined ? [`${id}-problem`] : []),
    ...(props.warning !== undefined ? [`${id}-warning`] : []),
    ...(props.hint !== undefined ? [`${id}-hint`] : []),
  ];
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': props.problem !== undefined ? true : undefined,
      })}
      {props.problem !== undefined && (
        <p className="problem" id={`${id}-problem`}>
          {props.problem}
        </p>
      )}
      {props.warning !== undefined && (
        <p className="warning" id={`${id}-warning`}>
          {props.warning}
        </p>
      )}
      {props.hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

export function Checkbox(props: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="field check">
      <input
        id={id}
        type="checkbox"
        checked={props.checked}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <label htmlFor={id}>{props.label}</label>
      {props.hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </div>
  );
}
