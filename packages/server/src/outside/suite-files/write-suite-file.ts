/** Writes a suite file: keys in the order the file has them, texts quoted by one rule, so that bytes never change. */
import type { SuiteFile } from '@proofmark/domain';
import { stringify } from 'yaml';

/** The cases alone are a part of a file, as they stand beside a form. */
export function writeSuiteFile(
  file: SuiteFile | Partial<SuiteFile>,
  format: 'yaml' | 'json',
): string {
  if (format === 'json') return `${JSON.stringify(file, null, 2)}\n`;
  return stringify(file, {
    version: '1.2',
    // Quotes what readers of YAML 1.1 would take for something else, as yes and no.
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
