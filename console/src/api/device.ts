/** True on a phone or tablet. It cannot scan a QR code on its own screen. */
export const isPhone = matchMedia('(pointer: coarse)').matches
