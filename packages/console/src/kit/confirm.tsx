/**
 * Asks for confirmation of a serious action. With `typed`, the given text must be typed to confirm.
 */
import { type ReactNode, useState } from 'react';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { Modal } from './modal.tsx';

export function Confirm(props: {
  title: string;
  action: string;
  /** The text of the cancel button, if "Cancel" would be ambiguous. */
  otherwise?: string;
  typed?: { label: string; text: string };
  isHarmless?: boolean;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const [text, setText] = useState('');
  const ready = props.typed === undefined || text.trim() === props.typed.text.trim();
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <Form
        label={props.title}
        problem={props.error?.message}
        attempt={props.error}
        onSubmit={() => ready && !props.busy && props.onConfirm()}
        buttons={
          <>
            <button
              type="submit"
              className={props.isHarmless ? 'primary' : 'danger'}
              disabled={!ready || props.busy}
            >
              {props.action}
            </button>
            <button type="button" onClick={props.onClose}>
              {props.otherwise ?? 'Cancel'}
            </button>
          </>
        }
      >
        {props.children}
        {props.typed !== undefined && (
          <Field label={props.typed.label}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
      </Form>
    </Modal>
  );
}
