/**
 * The findings for a suite file that is rejected as a whole, and the types of all findings. This
 * file does not import the YAML parser, so importing it is cheap.
 */
import type { SuiteFile } from '@proofmark/domain';
import type { WrittenPlaces } from './written-places.ts';

export type SuiteFileCode =
  | 'SUITE_FILE_TOO_LARGE'
  | 'SUITE_FILE_EMPTY'
  | 'SUITE_FILE_YAML_INVALID'
  | 'SUITE_FILE_MULTIPLE_DOCUMENTS'
  | 'SUITE_FILE_INVALID';

export interface SuiteFileFinding {
  readonly path: string;
  readonly code: SuiteFileCode;
  readonly message: string;
}

export type SuiteFileFindings = readonly [SuiteFileFinding, ...SuiteFileFinding[]];

/** A text that the parser ended earlier than its author probably meant. */
export interface SuiteFileWarning {
  readonly path: string;
  readonly message: string;
}

export interface SuiteFileRead {
  readonly file: SuiteFile;
  readonly places: WrittenPlaces;
  /** Absent if there are none. */
  readonly cut?: readonly SuiteFileWarning[];
}

export type ReadSuiteFile = SuiteFileRead | { readonly findings: SuiteFileFindings };

export function refused(
  code: SuiteFileCode,
  message: string,
): { readonly findings: SuiteFileFindings } {
  return { findings: [{ path: '', code, message: short(message) }] };
}

export function short(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
