/**
 * The text box for messages to a model. Enter sends if there is a keyboard; on a phone it starts a
 * new line.
 */
import { utf8Bytes, visitBounds } from '@proofmark/domain';
import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  useCallback,
  useRef,
  useState,
} from 'react';

/** Opening the keyboard of a phone unasked would cover the text. */
export const hasKeyboard = () => matchMedia('(pointer: fine)').matches;

export function usePen(isFree: boolean, onSend: (text: string) => void) {
  const [text, setText] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const over = utf8Bytes(text) - visitBounds.textBytes;
  const maySend = isFree && text.trim() !== '' && over <= 0;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!maySend) return;
    setText('');
    onSend(text);
  };
  return {
    box,
    over,
    maySend,
    send,
    /** Returns a rejected message to the box, before newly typed text. */
    giveBack: useCallback((unsent: string) => {
      setText((now) => (now === '' || now === unsent ? unsent : `${unsent}\n${now}`));
    }, []),
    /** The props of the textarea. */
    area: {
      ref: box,
      rows: 1,
      value: text,
      'aria-label': 'Message',
      'aria-invalid': over > 0,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>) => setText(event.target.value),
      onKeyDown: (event: KeyboardEvent) => {
        const isPlain = !event.shiftKey && !event.nativeEvent.isComposing;
        if (event.key !== 'Enter' || !isPlain || !hasKeyboard()) return;
        event.preventDefault();
        send();
      },
    },
  };
}

export function tooLongWords(over: number): string {
  return `This message is too long by ${over} bytes.`;
}
