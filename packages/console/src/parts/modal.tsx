/** A dialog on the browser's own `<dialog>`. The focus goes back to where it was when it closes. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

export function Modal(props: {
  title: string;
  onClose: () => void;
  /** Escape must not close it: something in it is shown only once. */
  stay?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!props.stay) props.onClose();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}
