/**
 * Finds the case of a reported trial: by its declared id, then by the reporter's id, then by its
 * content. The content is the title, whether the case is a negative test, its steps and its
 * configuration. Different scoring never makes another case.
 *
 * If a trial has a declared id and the content of a case without one, the case adopts the id. A
 * trial without any id belongs to the case that was created for its content, even after that case
 * adopted a declared id. If there is no such case, the trial belongs to the case with that content
 * whose declared id sorts first.
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

/** The known cases, indexed for fast search, because one report may name thousands. */
export class KnownCases {
  readonly #byDeclaredId = new Map<string, KnownCase>();
  readonly #byCaseKey = new Map<string, KnownCase>();
  /**
   * The case for each content. If several have the same content, it is the one whose declared id
   * sorts first.
   */
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

  /** Adds a case. A case with the same key is replaced. */
  add(one: KnownCase): void {
    this.#byCaseKey.set(one.caseKey, one);
    if (one.declaredId === null) return;
    this.#byDeclaredId.set(one.declaredId, one);
    const first = this.#firstDeclared.get(one.contentHash)?.declaredId;
    if (first == null || one.declaredId <= first) this.#firstDeclared.set(one.contentHash, one);
  }
}
