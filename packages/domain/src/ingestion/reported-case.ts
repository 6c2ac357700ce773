/**
 * Which case a reported trial belongs to. A declared id comes first, then the id the reporter uses, then what
 * the case says: its title, whether it is a negative test, its steps and its configuration. How it is scored
 * never makes it another case.
 *
 * A declared id that arrives with the content of a case that has none yet is adopted by that case. A
 * trial without any id belongs to the case that was made for its content, also after a declared id was
 * adopted there; if there is none, to the case of that content whose declared id comes first.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';

export interface ReportedIdentity {
  readonly caseTitle: string;
  readonly caseId?: string | undefined;
  readonly externalCaseId?: string | undefined;
  readonly isNegativeTest?: boolean | undefined;
  readonly steps?: unknown;
  readonly advancedConfig?: unknown;
}

export interface CaseIdentityKeys {
  readonly declaredId: string | null;
  readonly caseKey: string;
  readonly contentHash: string;
}

export interface KnownCase extends CaseIdentityKeys {
  readonly id: string;
}

export function identifyCase(
  reported: ReportedIdentity,
  sha256Hex: (text: string) => string,
): CaseIdentityKeys {
  const { caseTitle, caseId, externalCaseId, isNegativeTest, steps, advancedConfig } = reported;
  const contentHash = sha256Hex(
    canonicalJson({ caseTitle, isNegativeTest: isNegativeTest === true, steps, advancedConfig }),
  );
  if (caseId) return { declaredId: caseId, caseKey: `declared:${caseId}`, contentHash };
  const caseKey = externalCaseId ? `external:${externalCaseId}` : `content:${contentHash}`;
  return { declaredId: null, caseKey, contentHash };
}

export type CaseMatch =
  | { readonly is: KnownCase }
  | { readonly adopts: KnownCase }
  | { readonly isNew: true };

/** Cases that are known, found by a look-up each: one report may name thousands. */
export class KnownCases {
  readonly #byDeclaredId = new Map<string, KnownCase>();
  readonly #byCaseKey = new Map<string, KnownCase>();
  /** Of each content, the case whose declared id comes first. */
  readonly #firstDeclared = new Map<string, KnownCase>();

  constructor(known: Iterable<KnownCase> = []) {
    for (const one of known) this.add(one);
  }

  match(wanted: CaseIdentityKeys): CaseMatch {
    if (wanted.declaredId !== null) {
      const declared = this.#byDeclaredId.get(wanted.declaredId);
      if (declared !== undefined) return { is: declared };
      const adopting = this.#byCaseKey.get(`content:${wanted.contentHash}`);
      return adopting?.declaredId === null ? { adopts: adopting } : { isNew: true };
    }
    const same = this.#byCaseKey.get(wanted.caseKey);
    if (same !== undefined) return { is: same };
    if (wanted.caseKey.startsWith('external:')) return { isNew: true };
    const first = this.#firstDeclared.get(wanted.contentHash);
    return first === undefined ? { isNew: true } : { is: first };
  }

  /** A case, or what has become of one with the same key. */
  add(one: KnownCase): void {
    this.#byCaseKey.set(one.caseKey, one);
    if (one.declaredId === null) return;
    this.#byDeclaredId.set(one.declaredId, one);
    const first = this.#firstDeclared.get(one.contentHash)?.declaredId;
    if (first == null || one.declaredId <= first) this.#firstDeclared.set(one.contentHash, one);
  }
}
