/** Keeps the newest words in sight: after one says something, and while one reads at the end. Who scrolled up stays there. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { type ChatMessage, shownLength } from './chat-messages.ts';

export function useFollowEnd(messages: readonly ChatMessage[]): void {
  const isAtEnd = useRef(true);
  const seen = useRef(0);
  const length = shownLength(messages);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      isAtEnd.current = scrollHeight - clientHeight - window.scrollY < nearEnd;
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  const follow = useEffectEvent((shown: number) => {
    const isSaid = messages.length > seen.current;
    seen.current = messages.length;
    if (shown === 0 || !(isSaid || isAtEnd.current)) return;
    window.scrollTo({ top: document.documentElement.scrollHeight });
  });
  // Whenever something is added.
  useEffect(() => follow(length), [length]);
}

/** So many pixels above it still count as the end. */
const nearEnd = 160;
