/** A dialog on the browser's own `<dialog>`. The focus goes back to where it was when it closes. */
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';

export function Modal(props: {
  title: string;
  onClose: () => void;
  /** Escape must not close it: something in it is shown only once. */
  stay?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useShownDialog(() => {
    if (!props.stay) props.onClose();
  });
  return (
    <dialog {...dialog} aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** What a `<dialog>` is given that is open for as long as it is there. */
export function useShownDialog(onEscape: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = ref.current as HTMLDialogElement;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onEscape();
  };
  return { ref, onCancel };
}
