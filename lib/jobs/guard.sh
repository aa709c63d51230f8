#!/bin/sh
echo "end broken no guard here"
