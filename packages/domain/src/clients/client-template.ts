/** The fields in which templates differ. */
export interface ClientTemplate {
  readonly label: string;
  readonly modelId: string;
  /** Requests of a server that the client can answer, beyond tool calls. */
  readonly abilities: readonly Ability[];
  readonly surface: 'desktop' | 'terminal' | 'web';
  readonly systemPrompt: string;
}

/** `apps` is rendering widgets; the others are requests that a server can send. */
export type Ability = 'apps' | 'elicitation' | 'roots' | 'sampling';
