const barWidth = 30

/** Shows the progress of a long command: a redrawn bar on a terminal, elsewhere a line for each tenth. */
export function createProgress(stream: NodeJS.WriteStream, total: number): (done: number) => void {
  let shown = 0
  return (done) => {
    const share = total === 0 ? 1 : done / total
    if (stream.isTTY) {
      const filled = Math.round(share * barWidth)
      const bar = '#'.repeat(filled).padEnd(barWidth, '.')
      stream.write(`\r[${bar}] ${Math.floor(share * 100)} % (${done} of ${total})${done >= total ? '\n' : ''}`)
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth === shown) return
    shown = tenth
    stream.write(`${tenth * 10} % (${done} of ${total})\n`)
  }
}
