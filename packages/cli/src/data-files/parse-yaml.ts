/**
 * The YAML parser, loaded only by commands that read a suite file before sending it. Each export is
 * named, because a dynamic import of the bundled library has no named exports.
 */
import { quoteCalls } from '@proofmark/server/suite-files';
import { parse } from 'yaml';

export { parseSuiteFile, quoteCalls } from '@proofmark/server/suite-files';
export { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** Returns undefined for invalid YAML. The service reports the mistakes with line numbers. */
export function parseYamlLoosely(text: string): unknown {
  try {
    return parse(quoteCalls(text), { version: '1.2', schema: 'core', logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
