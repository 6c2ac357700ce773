/**
 * Writes a suite file with a fixed order of keys and one rule for quotes, so that the same suite
 * always gives the same bytes.
 */
import type { SuiteFile } from '@proofmark/domain';
import { stringify } from 'yaml';

/**
 * Writes `file` as YAML. It may be only a part of a suite file, for example the cases that the
 * console shows next to a form.
 */
export function writeSuiteFile(
  file: SuiteFile | Partial<SuiteFile>,
  format: 'yaml' | 'json',
): string {
  if (format === 'json') return `${JSON.stringify(file, null, 2)}\n`;
  return stringify(file, {
    version: '1.2',
    // Quotes texts such as yes and no, which readers of YAML 1.1 would take for booleans.
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
