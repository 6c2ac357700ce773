/**
 * Shows problems of the whole form above its buttons. When an error arrives, the focus moves to the
 * first field with a problem.
 */
import { type ReactNode, useEffect, useRef } from 'react';

export function Form(props: {
  label: string;
  problem: string | undefined;
  /**
   * Changes with each failed attempt to submit, so that each attempt moves the focus to the first
   * problem.
   */
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
      className="form"
      noValidate
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <div className="form-fields">{props.children}</div>
      <div role="alert">
        {props.problem !== undefined && <p className="form-problem">{props.problem}</p>}
      </div>
      <div className="actions">{props.buttons}</div>
    </form>
  );
}
