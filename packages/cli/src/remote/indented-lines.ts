import { cleanText } from '@proofmark/domain';
import type { TerminalAbility } from './terminal.ts';
import { wrapped } from './wrap-line.ts';

export type WrapSentence = (sentence: string, indent?: string) => string[];

/**
 * Returns a function that wraps sentences with an indent and uses only characters that the terminal
 * can show.
 */
export function sentenceWrapper({ ascii, width }: TerminalAbility): WrapSentence {
  return (sentence, indent = '') =>
    wrapped(cleanText(sentence, ascii), width - indent.length).map((line) => `${indent}${line}`);
}
