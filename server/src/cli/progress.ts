const barWidth = 30

/**
 * Goes over the line of the terminal that was written last. It is shorter than the terminal is wide, without the bar if need be:
 * a longer one would go on below, and the next would begin there.
 */
function redraw(stream: NodeJS.WriteStream, share: number, text: string): void {
  const width = (stream.columns || 80) - 1 // 0 where the terminal does not say
  const bar = `[${'#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.')}] `
  const line = bar.length + text.trimEnd().length <= width ? bar + text : text
  stream.write(`\r${line.slice(0, width)}`)
}

/** Shows the progress of a long command: a redrawn bar on a terminal, elsewhere a line for each tenth. */
export function createProgress(stream: NodeJS.WriteStream, total: number): (done: number) => void {
  let shown = 0
  return (done) => {
    const share = total === 0 ? 1 : done / total
    if (stream.isTTY) {
      redraw(stream, share, `${Math.floor(share * 100)} % (${done} of ${total})`)
      if (done >= total) stream.write('\n')
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth === shown) return
    shown = tenth
    stream.write(`${tenth * 10} % (${done} of ${total})\n`)
  }
}

const seconds = (count: number): string => {
  const whole = Math.round(count)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** The same with the rate and the time left; the end is always shown. */
export function createRateProgress(stream: NodeJS.WriteStream, total: number): (done: number, isEnd?: boolean) => void {
  const begunMs = performance.now()
  let tenth = -1
  return (done, isEnd = false) => {
    const passed = Math.max(0.001, (performance.now() - begunMs) / 1000)
    const rate = done / passed
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const left = isEnd || rate === 0 ? '' : `, ${seconds((total - done) / rate)} left`
    const text = `${Math.floor(share * 100)} % (${done} of ${total}, ${Math.round(rate)}/s${left})`
    if (stream.isTTY) {
      redraw(stream, share, text.padEnd(60)) // goes over a longer one
      if (isEnd) stream.write('\n')
      return
    }
    if (!isEnd && Math.floor(share * 10) === tenth) return
    tenth = Math.floor(share * 10)
    stream.write(`${text}\n`)
  }
}
