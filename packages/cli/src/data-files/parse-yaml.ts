/**
 * YAML, loaded only by who reads a suite file before it is sent. The library is imported here by name: bundled, it has no
 * names for whoever imports it at run time.
 */
import { parse } from 'yaml';

export { LineCounter, parseDocument } from 'yaml';

/** Nothing where it cannot be read: what is wrong with a file the service tells, with lines. */
export function parseYamlLoosely(text: string): unknown {
  try {
    return parse(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
