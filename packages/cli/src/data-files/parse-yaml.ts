/**
 * The YAML parser, which is loaded only by commands that read a suite file before sending it. It is
 * re-exported by name, since in the bundle a run-time import of the library would yield no named
 * exports.
 */
import { quoteCalls } from '@proofmark/server/suite-files';
import { parse } from 'yaml';

export { quoteCalls } from '@proofmark/server/suite-files';
export { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/**
 * Returns the parsed text of a suite file. Returns undefined for invalid YAML, since the service
 * reports its mistakes with line numbers.
 */
export function parseYamlLoosely(text: string): unknown {
  try {
    return parse(quoteCalls(text), { version: '1.2', schema: 'core', logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
