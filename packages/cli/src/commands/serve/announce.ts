import { clockTime, printJson, printLine } from '../../output.ts';

export interface Announced {
  readonly url: string;
  readonly signInLink?: { readonly url: string; readonly email: string; readonly expiresAt: Date };
  /** Sentences about anything unusual during the start; absent if there is nothing to report. */
  readonly notice?: string;
}

export function announceJson({ url, signInLink }: Announced, print = printJson): void {
  print({ event: 'ready', url });
  if (signInLink) print({ event: 'signInLink', ...signInLink });
}

/** The sign-in link has its own line, so that a terminal is less likely to wrap it. */
export function announce({ url, signInLink, notice }: Announced): void {
  printLine(`Proofmark is ready at ${url}`);
  printLine();
  if (signInLink) {
    printLine(
      `Sign in as ${signInLink.email} (works once, until ${clockTime(signInLink.expiresAt)}):`,
    );
    printLine(signInLink.url);
    printLine();
  }
  printLine(`API        ${url}/api/v1`);
  printLine(`Reference  ${url}/reference`);
  printLine('Stop       Ctrl+C');
  if (notice) {
    printLine();
    for (const sentence of notice.split(/(?<=\.) /)) printLine(sentence);
  }
}
