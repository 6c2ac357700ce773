import type { ReactNode } from 'react';
import { Form } from '../form.tsx';

export function NewVersionForm(props: {
  action: string;
  create: { readonly isPending: boolean; readonly error: Error | null };
  isUnchanged?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const { create, isUnchanged = false } = props;
  return (
    <Form
      label="New version"
      problem={create.error?.message}
      attempt={create.error}
      onSubmit={() => {
        if (!create.isPending) props.onSubmit();
      }}
      buttons={
        <>
          <button type="submit" className="primary" disabled={create.isPending || isUnchanged}>
            {props.action}
          </button>
          <button type="button" onClick={props.onCancel}>
            Cancel
          </button>
        </>
      }
    >
      {props.children}
    </Form>
  );
}
