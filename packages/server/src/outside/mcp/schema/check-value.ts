/**
 * Checks values against the schemas of servers. `checkBySchema` gets RE2 for patterns, which needs
 * linear time, and this process's clock for the time limit.
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

// RE2JS builds its tables when it compiles its first pattern, which takes a large part of the time
// of a check. Compiling one here keeps that time out of the limit for a server's schema.
RE2JS.compile('^[a-z]+$').test('tables');
