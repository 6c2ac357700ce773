/**
 * The YAML parser, loaded only by commands that read a suite file before sending it. It is
 * re-exported by name, because a run-time import of the bundled library would have no named
 * exports.
 */
import { quoteCalls } from '@proofmark/server/suite-files';
import { parse } from 'yaml';

export { quoteCalls } from '@proofmark/server/suite-files';
export { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** Returns undefined for invalid YAML. The service reports its mistakes with line numbers. */
export function parseYamlLoosely(text: string): unknown {
  try {
    return parse(quoteCalls(text), { version: '1.2', schema: 'core', logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
