import Box from '@mui/material/Box'
import Step from '@mui/material/Step'
import StepLabel from '@mui/material/StepLabel'
import Stepper from '@mui/material/Stepper'
import { type ReactNode, useEffect, useRef } from 'react'

const steps = ['File', 'Columns', 'Dry run', 'Import'] as const

interface Props {
  readonly current: number
  readonly isDone: boolean
  readonly children: ReactNode
}

/** The current step of the import. It takes the focus, because the button that was pressed is gone. */
export function Steps({ current, isDone, children }: Props) {
  const content = useRef<HTMLDivElement>(null)
  const before = useRef(current)
  useEffect(() => {
    if (before.current === current) return
    before.current = current
    content.current?.focus()
    scrollTo(0, 0)
  }, [current])
  return (
    <>
      <Stepper
        activeStep={isDone ? steps.length : current}
        connector={null}
        component="ol"
        aria-label="Steps"
        sx={{ p: 0, m: 0, flexWrap: 'wrap', columnGap: { xs: 1, sm: 3 } }}
      >
        {steps.map((name, at) => (
          <Step
            key={name}
            component="li"
            aria-current={at === current ? 'step' : undefined}
            sx={{ listStyle: 'none', p: 0 }}
          >
            <StepLabel>{name}</StepLabel>
          </Step>
        ))}
      </Stepper>
      <Box ref={content} tabIndex={-1} sx={{ minWidth: 0, '&:focus-visible': { outline: 'none' } }}>
        {children}
      </Box>
    </>
  )
}
