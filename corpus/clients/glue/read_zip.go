// Go's archive/zip: a line for each file in an archive, then its content.
package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

func files(name string) ([]byte, error) {
	archive, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	var out bytes.Buffer
	for _, file := range archive.File {
		date := file.Modified.UTC().Format("2006-01-02 15:04:05")
		fmt.Fprintf(&out, "%s %s %d\n", file.Name, date, file.UncompressedSize64)
		content, err := file.Open()
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(&out, content); err != nil {
			return nil, err
		}
		content.Close()
	}
	return out.Bytes(), nil
}

func main() {
	if len(os.Args) == 3 {
		data, err := files(os.Args[1])
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
		data, err := files(file)
		if err != nil {
			kind, data = "refused", []byte(err.Error())
		}
		fmt.Fprintf(answers, "%s %d\n", kind, len(data))
		answers.Write(data)
		answers.Flush()
	}
}
