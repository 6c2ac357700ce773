/**
 * A form that says what is wrong as a whole above its buttons. When an error comes in, the focus
 * goes to the first field that has one.
 */
import { type ReactNode, useEffect, useRef } from 'react';

export function Form(props: {
  label: string;
  problem: string | undefined;
  /** Anything that changes whenever new problems were found. */
  attempt: unknown;
  onSubmit: () => void;
  buttons: ReactNode;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once for each attempt.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [props.attempt]);
  return (
    <form
      ref={form}
      noValidate
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
      <div role="alert">
        {props.problem !== undefined && <p className="form-problem">{props.problem}</p>}
      </div>
      <div className="actions">{props.buttons}</div>
    </form>
  );
}
