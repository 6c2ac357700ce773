import { cleanText } from '@proofmark/domain';
import type { TerminalAbility } from './terminal.ts';
import { wrapped } from './wrap-line.ts';

export type Say = (sentence: string, indent?: string) => string[];

/** Returns sentences as lines that the terminal can show, all with the same indent. */
export function sayIn({ ascii, width }: TerminalAbility): Say {
  return (sentence, indent = '') =>
    wrapped(cleanText(sentence, ascii), width - indent.length).map((line) => `${indent}${line}`);
}
