// Go's x/image/tiff, image/gif, image/png and x/image/bmp: 16 bits a sample, alpha not multiplied in. A panic is not caught: it ends the
// program, as it would any that uses the library.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"os"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// The decoder of a file that begins so.
func decoder(data []byte) func(io.Reader) (image.Image, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return png.Decode
	case bytes.HasPrefix(data, []byte("GIF8")):
		return gif.Decode
	case bytes.HasPrefix(data, []byte("BM")):
		return bmp.Decode
	}
	return tiff.Decode
}

func picture(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoded, err := decoder(data)(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	b := decoded.Bounds()
	var out bytes.Buffer
	fmt.Fprintf(&out, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 65535\nENDHDR\n", b.Dx(), b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := decoded.At(x, y)
			// By way of NRGBA64 8-bit samples would be multiplied by alpha and divided again.
			if n, ok := c.(color.NRGBA); ok {
				out.Write([]byte{n.R, n.R, n.G, n.G, n.B, n.B, n.A, n.A})
				continue
			}
			n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
			binary.Write(&out, binary.BigEndian, [4]uint16{n.R, n.G, n.B, n.A})
		}
	}
	return out.Bytes(), nil
}

func main() {
	if len(os.Args) == 3 {
		data, err := picture(os.Args[1])
		if err == nil {
			err = os.WriteFile(os.Args[2], data, 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	answers := bufio.NewWriter(os.Stdout)
	fmt.Fprint(answers, "ready\n")
	answers.Flush()
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		_, file, _ := strings.Cut(requests.Text(), " ")
		kind := "picture"
		data, err := picture(file)
		if err != nil {
			kind, data = "refused", []byte(err.Error())
		}
		fmt.Fprintf(answers, "%s %d\n", kind, len(data))
		answers.Write(data)
		answers.Flush()
	}
}
