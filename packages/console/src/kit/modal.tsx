/**
 * A dialog based on the browser's `<dialog>`. When it closes, the focus returns to the element that
 * had it before.
 */
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';

export function Modal(props: {
  title: string;
  onClose: () => void;
  /**
   * Whether Escape is ignored. Needed if the dialog shows content that cannot be shown a second
   * time.
   */
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

/**
 * Returns the props of a `<dialog>` that opens when it is mounted and closes when it is unmounted.
 */
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
