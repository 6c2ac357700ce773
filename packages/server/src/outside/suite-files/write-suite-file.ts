/**
 * Writes a suite file with a fixed order of keys and one rule for quotes, so that its bytes never
 * change.
 */
import type { SuiteFile } from '@proofmark/domain';
import { stringify } from 'yaml';

/** `file` may be a part, for example only the cases beside a form. */
export function writeSuiteFile(
  file: SuiteFile | Partial<SuiteFile>,
  format: 'yaml' | 'json',
): string {
  if (format === 'json') return `${JSON.stringify(file, null, 2)}\n`;
  return stringify(file, {
    version: '1.2',
    // Quotes texts that readers of YAML 1.1 would interpret, for example yes and no.
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
