import { ConfirmDialog, LeaveQuestion, useIsHere } from '@gatehouse/plugin-kit/console'
import { type ReactNode, useState } from 'react'
import type { HttpError } from 'react-admin'
import { calledOff } from '../called-off.ts'

interface Question {
  readonly text: string
  readonly answer: (isYes: boolean) => void
}

type OrForce = <T>(send: (more: { force?: true }) => Promise<T>) => Promise<T>

/**
 * For what gives administrator permissions to everybody who registers: the API does that only with `force`. What is refused for
 * that reason is sent again once the question was answered with yes; after a no it rejects, see `isCalledOff`.
 * So it does with the reason where nobody is here any more who could be asked.
 *
 * @returns the function that sends, and the question, to be drawn.
 */
export function useForce(): [orForce: OrForce, question: ReactNode] {
  const [question, setQuestion] = useState<Question>()
  const isHere = useIsHere()
  const orForce: OrForce = async (send) => {
    try {
      return await send({})
    } catch (error) {
      const { body, message } = error as HttpError
      if (body?.code !== 'role_of_registration') throw error
      const text = message.replace(/ Send "force".*/, '') // that is for programs
      if (!isHere()) throw new Error(text)
      if (!(await new Promise<boolean>((answer) => setQuestion({ text, answer })))) throw calledOff()
      return send({ force: true })
    }
  }
  const settle = (isYes: boolean) => {
    question?.answer(isYes)
    setQuestion(undefined)
  }
  const dialog =
    question === undefined ? null : (
      <>
        <LeaveQuestion />
        <ConfirmDialog
          title="Give this to everybody who registers?"
          action="Give it to everybody"
          isDangerous
          onConfirm={async () => settle(true)}
          onClose={() => settle(false)}
        >
          {question.text}
        </ConfirmDialog>
      </>
    )
  return [orForce, dialog]
}
