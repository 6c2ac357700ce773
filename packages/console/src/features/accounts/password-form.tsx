import { passwordProblem, shortestPassword } from '@proofmark/domain';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../../kit/data/field-problems.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { notify } from '../../kit/notice.tsx';
import { useSetPassword } from './data/session.ts';

export function PasswordForm(props: { email: string; hasPassword: boolean }) {
  const setPassword = useSetPassword();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [ownProblem, setOwnProblem] = useState<{ text: string }>();
  const problems = fieldProblems(setPassword.error);
  const submit = () => {
    if (setPassword.isPending) return;
    const problem = passwordProblem(next, props.email);
    setOwnProblem(problem === undefined ? undefined : { text: problem });
    if (problem !== undefined) return;
    const body = { newPassword: next, ...(props.hasPassword && { currentPassword: current }) };
    setPassword.mutate(body, {
      onSuccess: () => {
        setCurrent('');
        setNext('');
        notify('Password saved. All other sessions of your account have ended.');
      },
    });
  };
  return (
    <Form
      label="Password"
      problem={formProblem(setPassword.error, ['currentPassword', 'newPassword'])}
      attempt={ownProblem ?? setPassword.error}
      onSubmit={submit}
      buttons={
        <button type="submit" className="primary" disabled={setPassword.isPending}>
          Save password
        </button>
      }
    >
      {/* Hidden from people, but password managers store the new password under this name. */}
      <input hidden readOnly autoComplete="username" value={props.email} />
      {props.hasPassword && (
        <Field label="Current password" problem={problems['currentPassword']}>
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label="New password"
        hint={`At least ${shortestPassword} characters.`}
        problem={ownProblem?.text ?? problems['newPassword']}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        )}
      </Field>
    </Form>
  );
}
