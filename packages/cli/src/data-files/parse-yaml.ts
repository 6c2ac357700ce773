/**
 * YAML, loaded only by commands that read a suite file before sending it. The import by name is
 * needed, since the bundled library has no names for an import at run time.
 */
import { parse } from 'yaml';

export { LineCounter, parseDocument } from 'yaml';

/**
 * Returns undefined for an unreadable text, since the service reports mistakes with their lines.
 */
export function parseYamlLoosely(text: string): unknown {
  try {
    return parse(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
