/**
 * Checks values against schemas of servers: the walk of the domain, with patterns by RE2 and the
 * clock of this process.
 */
import { checkBySchema, type PatternReader, type ValueCheck } from '@proofmark/domain';
import { RE2JS } from 're2js';

export function checkValue(schema: unknown, value: unknown): ValueCheck {
  return checkBySchema(schema, value, linearPattern, () => performance.now());
}

export const linearPattern: PatternReader = (pattern) => {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
};

// The engine builds its tables with its first pattern. That takes a large part of the time of a
// check, so it is done before a server's schema is charged for it.
RE2JS.compile('^[a-z]+$').test('tables');
