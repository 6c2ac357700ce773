/**
 * Regular expressions (RE2) that need linear time. Backreferences and lookaround do not compile.
 * Unlike in JavaScript, `\s` matches only ASCII white space, and `.` also matches a carriage
 * return. The product of pattern size and text length is limited, because a large one would block
 * the process for seconds.
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

/**
 * Returns why a pattern can never run, so that it is rejected when it is saved. Returns undefined
 * if it can run.
 */
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
