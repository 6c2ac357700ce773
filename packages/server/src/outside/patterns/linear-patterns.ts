/**
 * Regular expressions that run in time linear in the text. Patterns have JavaScript's syntax
 * without flags. Patterns that cannot run in linear time (backreferences, lookaround) do not
 * compile. Two small differences remain: `\s` is only ASCII white space, and `.` also matches a
 * carriage return. One test takes at most the size of the compiled pattern times the length of the
 * text, so that product is limited too: a large counted repetition over a long text would block the
 * process for many seconds.
 */
import type { PatternEngine } from '@proofmark/domain';
import { RE2JS } from 're2js';
import { expandedLength } from './expanded-length.ts';

export const maxPatternLength = 2000;
const maxWork = 10_000_000;
/**
 * The maximum length of a pattern with its repetitions written out. A longer one takes long to
 * compile, and its first run on a single letter takes as long again.
 */
const maxExpandedLength = 1500;

export const linearPatterns: PatternEngine = {
  test(pattern, text) {
    if (pattern.length > maxPatternLength) {
      return { problem: `it is longer than ${maxPatternLength} characters` };
    }
    if (expandedLength(pattern) > maxExpandedLength) {
      return { problem: 'it repeats too much; use fewer or smaller counted repetitions' };
    }
    const compiled = compile(pattern);
    if (!(compiled instanceof RE2JS)) return compiled;
    if (compiled.programSize() * text.length > maxWork) {
      return { problem: 'it is too large for a text this long; use fewer repetitions' };
    }
    return compiled.test(text);
  },
};

/** Returns the reason to reject a pattern when it is saved; undefined if the pattern can run. */
export function whyPatternNeverRuns(pattern: string): string | undefined {
  const tried = linearPatterns.test(pattern, '');
  return typeof tried === 'boolean' ? undefined : `This pattern cannot be run: ${tried.problem}.`;
}

function compile(pattern: string): RE2JS | { problem: string } {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return { problem: 'it is not a valid pattern, or uses backreferences or lookaround' };
  }
}
