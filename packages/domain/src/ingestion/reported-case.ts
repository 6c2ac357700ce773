/**
 * Finds the case of a reported trial (run elsewhere and uploaded): by its declared id, then by the
 * reporter's id, then by its content. The content is the title, the negative-test flag, the steps
 * and the configuration, but not the scoring.
 *
 * A trial with a declared id gives that id to a case with the same content and no id. A trial
 * without any id belongs to the case created for its content. If there is none, it belongs to the
 * case with that content whose declared id sorts first.
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

  /** A case with the same key is replaced. */
  add(one: KnownCase): void {
    this.#byCaseKey.set(one.caseKey, one);
    if (one.declaredId === null) return;
    this.#byDeclaredId.set(one.declaredId, one);
    const first = this.#firstDeclared.get(one.contentHash)?.declaredId;
    if (first == null || one.declaredId <= first) this.#firstDeclared.set(one.contentHash, one);
  }
}
