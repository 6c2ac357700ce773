/**
 * The text box for a message. With a keyboard, Enter sends the message; on a phone, Enter starts a
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

/**
 * On a phone, the screen keyboard would cover the text, so the text box must not take the focus
 * automatically.
 */
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
    /** Puts a rejected message back into the text box, before any text typed since. */
    giveBack: useCallback((unsent: string) => {
      setText((now) => (now === '' || now === unsent ? unsent : `${unsent}\n${now}`));
    }, []),
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
