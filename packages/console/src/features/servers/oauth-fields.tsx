import { Checkbox, Field } from '../../kit/field.tsx';
import type { ServerDraft } from './server-draft.ts';

export function OAuthFields(props: {
  draft: ServerDraft;
  hasStoredSecret: boolean;
  problems: Record<'clientId' | 'clientSecret' | 'scopes', string | undefined>;
  onChange: (change: Partial<ServerDraft>) => void;
}) {
  const { draft, hasStoredSecret, problems, onChange } = props;
  return (
    <fieldset>
      <legend>OAuth</legend>
      <Checkbox
        label="Use OAuth"
        checked={draft.useOAuth}
        onChange={(useOAuth) => onChange({ useOAuth })}
      />
      {draft.useOAuth && (
        <>
          <Field label="Client id" problem={problems.clientId}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={draft.clientId}
                onChange={(event) => onChange({ clientId: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Client secret"
            hint={hasStoredSecret ? 'Leave empty to keep the stored one.' : undefined}
            problem={problems.clientSecret}
          >
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="off"
                placeholder={hasStoredSecret ? 'stored, not shown' : undefined}
                disabled={draft.removeClientSecret}
                value={draft.clientSecret}
                onChange={(event) => onChange({ clientSecret: event.target.value })}
              />
            )}
          </Field>
          {hasStoredSecret && (
            <Checkbox
              label="Remove the stored client secret"
              checked={draft.removeClientSecret}
              onChange={(removeClientSecret) => onChange({ removeClientSecret })}
            />
          )}
          <Field label="Scopes" hint="With spaces between them." problem={problems.scopes}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                className="code"
                value={draft.scopes}
                onChange={(event) => onChange({ scopes: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </fieldset>
  );
}
