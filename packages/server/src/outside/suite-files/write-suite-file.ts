/**
 * Writes a suite file with a fixed order of keys and one rule for quotes, so that the same suite
 * always gives the same bytes. YAML is written for people and uses the short form of cases. JSON is
 * written for programs and has every field.
 */
import { type SuiteFile, shortenSuiteFile } from '@proofmark/domain';
import { stringify } from 'yaml';

/**
 * `keys` limits the top-level keys that are written (default: all), for an editor that shows only a
 * part of the file.
 */
export function writeSuiteFile(
  file: SuiteFile,
  format: 'yaml' | 'json',
  keys?: readonly (keyof SuiteFile)[],
): string {
  const written = format === 'yaml' ? shortenSuiteFile(file) : file;
  const part = Object.fromEntries(
    Object.entries(written).filter(([key]) => keys?.includes(key as keyof SuiteFile) ?? true),
  );
  if (format === 'json') return `${JSON.stringify(part, null, 2)}\n`;
  return stringify(part, {
    version: '1.2',
    // Quotes texts such as yes and no, which YAML 1.1 parsers would read as booleans.
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
