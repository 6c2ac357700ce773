/** What a service warned of when it saved or launched something; nothing where it knows no warnings. */
export function warningMessages(answer: object): string[] {
  const { warnings } = answer as { warnings?: unknown };
  return (Array.isArray(warnings) ? warnings : []).flatMap((warning: unknown) => {
    const { message } = Object(warning) as { message?: unknown };
    return typeof message === 'string' && message !== '' ? [message] : [];
  });
}
