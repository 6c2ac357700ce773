/** The fields that differ between templates. */
export interface ClientTemplate {
  readonly label: string;
  readonly modelId: string;
  /** The kinds of server requests that the client can answer, and whether it renders widgets. */
  readonly abilities: readonly Ability[];
  readonly surface: 'desktop' | 'terminal' | 'web';
  readonly systemPrompt: string;
}

/**
 * An optional ability of a client. `apps` means rendering widgets; the other abilities are answers
 * to requests that a server can send.
 */
export type Ability = 'apps' | 'elicitation' | 'roots' | 'sampling';
